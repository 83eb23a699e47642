"""What is promised of fetching pages."""

REQUIREMENTS = {
    "WEB-F01": "Only http and https are fetched; odd, long, blank or credentialed URLs are refused "
    "with the fix.",
    "WEB-F02": "No form of address reaches a private, loopback, link-local, metadata or otherwise "
    "not public address: numbers, names, redirects, robots.txt, rebinding.",
    "WEB-F03": "web_allow_hosts excepts hosts, host:port, patterns, addresses and networks, and "
    "nothing else.",
    "WEB-F04": "Redirects are followed hop by hop, each checked; circles and long chains end.",
    "WEB-F05": "robots.txt is obeyed, with its crawl-delay; unreadable rules allow nothing, absent "
    "ones everything.",
    "WEB-F06": "Size is limited while reading and after unpacking, time in all, whatever drips.",
    "WEB-F07": "429, 5xx, resets and refusals are tried again, as Retry-After asks, and end.",
    "WEB-F08": "ETag and Last-Modified are sent back; 304 means unchanged; freshness follows "
    "Cache-Control, Expires, Age and Last-Modified.",
    "WEB-F09": "A host gets two requests at once and its pause between them.",
    "WEB-F10": "Types nobody reads are not downloaded; a bad certificate is told as such.",
    "WEB-R01": "Text that scripts write is found when a page is rendered, shadow trees too.",
    "WEB-R02": "A rendered page reaches the web only through a proxy that dials what the guard "
    "lets through: no request, socket, redirect, frame, worker or peer connection gets past it.",
    "WEB-R03": "Rendering ends: in time, with its call, at its memory and size, and leaves no "
    "process and no profile behind.",
    "WEB-R04": "web_render decides: never, pages that say nothing without scripts, or every page.",
    "WEB-R05": "A page that needs rendering and cannot be rendered says so and is read as it came.",
    "WEB-F11": "A cancelled fetch stops at once and leaves the fetcher usable.",
}
