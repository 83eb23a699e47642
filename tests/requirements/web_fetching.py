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
    "WEB-F11": "A cancelled fetch stops at once and leaves the fetcher usable.",
}
