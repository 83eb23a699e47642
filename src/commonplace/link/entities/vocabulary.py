"""Closed lists the rules rely on: words whose meaning does not depend on the document."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SHELLS = frozenset(
    {"bash", "sh", "shell", "zsh", "fish", "console", "shell-session", "sh-session", "shellsession"}
    | {"terminal", "powershell", "pwsh", "ps1", "bat", "batch", "cmd", "doscon", "ps1con"}
    | {"bash-session", "shellscript", "winbatch"}
)
SESSIONS = frozenset(
    {"console", "shell-session", "sh-session", "shellsession", "terminal", "doscon", "ps1con"}
    | {"bash-session"}
)
CONFIGURED = frozenset(
    {"toml", "ini", "cfg", "conf", "dosini", "properties", "editorconfig", "yaml", "yml", "json"}
    | {"json5", "dotenv", "env"}
)
"""Languages of configuration files."""
PYTHON = frozenset(
    {"python", "py", "python3", "pycon", "ipython", "python-repl", "py3", "ipython3"}
)

BUILTINS = _words(
    """
    alias bg break case cat cd chmod chown clear cls continue copy cp declare del dir do doas done
    echo elif else end env esac eval exec exit export false fg fi for function head history if in
    less let local ls man mkdir more move mv nano nohup popd printf pushd pwd read rem return rm
    rmdir select set setx shift sleep source start sudo tail tee test then time touch tree true
    type ulimit umask unalias unset until vi vim wait where which while whoami xargs yes
    """
)
"""Shell words too common to tell anything."""

SUBCOMMANDED = _words(
    """
    airflow alembic ansible-galaxy apt apt-get aws az brew bump2version bundle cargo celery
    certbot choco cmake composer conda crontab dagster dbt django-admin dnf docker docker-compose
    dotnet fastapi firebase flask flutter fly gcloud gem gh git go gradle hatch helm heroku hg
    kubectl litestar mamba manage.py mike mix mkdocs mvn netlify npm npx nvm pdm pip pip3 pipenv
    pipx pkg pnpm podman poetry pre-commit prefect pulumi rails rustup rye scrapy service snap svn
    systemctl terraform tox twine typer uv vagrant vault vercel virsh yarn yum zypper
    """
)
"""Programs whose second word is a command of theirs."""

DEEP = {
    "docker": {"compose", "container", "image", "network", "volume", "swarm", "system"},
    "git": {"remote", "submodule", "stash", "bisect", "worktree"},
    "poetry": {"env", "source", "cache", "self", "python", "publisher"},
    "uv": {"pip", "tool", "python"},
    "kubectl": {"config", "rollout", "apply"},
    "helm": {"repo"},
    "conda": {"env"},
    "npm": {"run"},
    "flask": {"db"},
    "gh": {"pr", "repo", "issue", "release", "auth", "workflow"},
}
"""Commands that themselves have commands."""

VERBS = _words(
    """
    add apply attach backup bench build bump check clean clone compile config configure console
    copy crawl create db debug delete deploy destroy dev diff doctor down download dump edit
    enable explore export fetch find fix fmt format freeze generate genspider get help import info
    init inspect install invoke join lint list load lock login logout logs make migrate new open
    parse patch ping plan preview prune publish pull purge push query reload remove rename render
    reset restart restore resume revoke rollback run runserver runspider save scan search seed
    serve server set shell show start startapp startproject status stop sync tail test tidy train
    tunnel uninstall unlock unset up update upgrade upload use validate verify version view watch
    worker
    """
)
"""Second words that are commands of any program."""

IMPERATIVES = _words(
    """
    accept access activate add adjust allow answer apply approve assign attach authorize bind
    bootstrap browse build bump call cancel change check checkout choose clean clear click clone
    close commit compare compile complete compute configure confirm connect consider consult
    contact convert copy create customize cut debug decide declare define delete deploy describe
    determine disable discuss download drag drop edit enable ensure enter establish evaluate
    examine execute expand explore export extend extract fetch fill find finish fix follow forget
    fork format generate get give go grant handle identify implement import include increase
    initialize insert inspect install instantiate integrate invoke issue join keep launch learn
    let link list listen load locate lock log login look make manage mark merge migrate modify
    monitor mount move name navigate note obtain open optimize override package parse paste patch
    perform pick place point populate post prepare press print process provide publish pull push
    put query read rebase rebuild receive record redirect reduce refer register release reload
    remove rename repeat replace report reproduce request reset resolve restart restore retrieve
    return review rewrite right-click roll rotate run save scan schedule scroll search see select
    send serve set setup share show shut sign skip specify split squash start stop store submit
    subscribe switch sync tag take tell test train transfer try turn type uncomment uninstall
    unpack unzip update upgrade upload use validate verify view visit wait watch work wrap write
    """
)
"""How an instruction begins."""

HOW_TO = _words(
    """
    adding applying backing building calling changing checking cleaning compiling configuring
    connecting contributing converting creating customizing debugging defining deleting deploying
    developing disabling downloading editing enabling exporting extending extracting getting
    handling implementing importing installing integrating making managing migrating moving
    packaging passing preparing profiling proposing publishing pulling reading registering
    releasing removing replacing reporting reproducing restoring returning reviewing running
    securing sending serving setting sharing solving starting storing submitting testing
    troubleshooting uninstalling updating upgrading uploading using verifying working writing
    """
)
"""How the heading of instructions may begin, beside an imperative."""

PLAIN_HEADINGS = _words(
    """
    about abstract acknowledgements advanced api appendix applications arguments attributes
    authors background backward basics benefits bugfixes caveats changelog changes class classes
    cleanup code commands community conclusion configuration contact contents contributing
    conventions copyright credits dependencies deprecations description design details development
    docs documentation download enhancements errors example examples exceptions explanation faq
    features fixes functions further general glossary goals guide guides help highlights history
    how-to imports improvements index info information installation internals introduction issues
    keys layout licence license limitations links location methods misc miscellaneous module
    modules motivation name names next note notes objects operation options other overview
    parameters performance philosophy preface prerequisites properties purpose questions
    quickstart rationale readme recap recipes reference references related release requirements
    resources results returns roadmap scope security see settings setup signature start step steps
    structure summary support synopsis syntax table technical test testing tests thanks tips todo
    tools topics troubleshooting tutorial tutorials types upgrade usage use uses using value
    values variables version versions warning warnings welcome what why
    """
)
"""Headings that name a part of the document, not a thing it tells of."""

NOT_NAMES = _words(
    """
    America American Appendix April August Brazil British Chapter China Chinese December Dr
    English Europe European Example FIXME False February Figure France French Friday GMT German
    Germany Inc India Internet Italian January Japan Japanese July June Korean Ltd March May
    Monday Mr Mrs No None Note November Null OK October Portuguese Russian Saturday Section
    September Spain Spanish Sunday TODO Table Thursday Tip True Tuesday UTC Warning Wednesday Yes
    OAuth OAuth2 OpenID IPv4 IPv6 WebSocket WebSockets OpenAPI GeoJSON LaTeX DevOps Unicode Boolean
    YouTube JSON5 Base64 WebAuthn WebSSO
    """
)
"""Capitalised words, protocols and notations among them, that name no part of a system."""

SMALL = _words("a an and as at by for from in of on or the to with")

HEADS = _words(
    """
    account address algorithm architecture attack attribute authentication authority authorization
    block cache call certificate character class code collaboration component computing control
    convention cycle definition deployment development directory domain encoding encryption entity
    environment event exception expression field file flow forgery format function graph hash header
    identifier identity index indicator injection input integration interface key language layer
    list locator lock log loop machine management map mapper mapping memory message
    method model module name namespace notation number object operation output path pattern
    permission point policy pool principle process programming property proposal protocol
    proxy query queue rate ratio reference region registry relation request resource
    response role schema scope scripting security selector serialization server service session set
    signature size sign-on space specification stack standard statement state store string structure
    sum switch system table template test testing text time token transfer transaction translation
    transport tree type unit update value variable vector version view vulnerabilities exposure
    window
    """
)
"""Last words of expressions in capitals that name concepts, not somebody or something."""

STATUS = frozenset(
    {"Bad Request", "Unauthorized", "Payment Required", "Forbidden", "Not Found", "Conflict"}
    | {"Method Not Allowed", "Not Acceptable", "Request Timeout", "Gone", "Length Required"}
    | {"Precondition Failed", "Payload Too Large", "URI Too Long", "Unsupported Media Type"}
    | {"Unprocessable Entity", "Too Many Requests", "Internal Server Error", "Not Implemented"}
    | {"Bad Gateway", "Service Unavailable", "Gateway Timeout", "Unprocessable Content"}
)
ERRNO = _words(
    """
    EACCES EADDRINUSE EAGAIN EBADF EBUSY ECONNABORTED ECONNREFUSED ECONNRESET EEXIST EFAULT EFBIG
    EHOSTUNREACH EINPROGRESS EINTR EINVAL EIO EISDIR EMFILE ENETUNREACH ENFILE ENOENT ENOMEM
    ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND ENOTSUP EPERM EPIPE ERANGE EROFS ESRCH
    ETIMEDOUT EWOULDBLOCK EXDEV
    """
)

PLACEHOLDERS = _words(
    """
    flag option arg args key some external
    MyApp MyClass MyModel a app b bar baz c d e eggs example examples f file foo foobar ham key1
    key2 main my_app my_command my_module my_name my_package my_plugin my_project myapp mycommand
    mymodule mypackage myproject name option1 option2 path proj project1 project2 quux qux
    some_name something spam test tests thing value x y your_app your_package z
    """
)
"""Names that examples invent."""

TYPES = _words(
    """
    Any None True False bool bytes bytearray complex dict float frozenset int list object set str
    tuple type Dict List Set Tuple Optional Union Callable Iterable Iterator Sequence Mapping
    String Integer Boolean Object Array Number memoryview slice
    """
)
"""Types of languages themselves, in every document."""

OWN_TABLES = _words(
    """
    aliases authors classifiers dependencies dependency-groups dev-dependencies entry-points env
    env-vars environment exclude extra-scripts extras features groups gui-scripts include
    maintainers matrix optional-dependencies overrides packages paths plugins scripts sources
    tasks urls
    """
)
"""Sections of configuration files whose keys the user invents."""
