"""The memory family: contexts that stay, scratchpads that pass (seed 004)."""

from commonplace.tools.memory.retrieve import RETRIEVE_CONTEXT
from commonplace.tools.memory.state import GET_AGENT_STATE, UPDATE_SCRATCHPAD
from commonplace.tools.memory.store import STORE_CONTEXT

__all__ = ["GET_AGENT_STATE", "RETRIEVE_CONTEXT", "STORE_CONTEXT", "UPDATE_SCRATCHPAD"]
