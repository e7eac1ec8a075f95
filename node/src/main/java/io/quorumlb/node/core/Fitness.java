package io.quorumlb.node.core;

/** What a node can do for gateway addresses. */
enum Fitness {
    /** What it has must go to others. */
    LOST,
    /** It keeps what it has and gets nothing new. */
    HOLDS,
    /** It may take over what others lose. */
    TAKES,
    /** It has been well for so long that its own come home. */
    SETTLED
}
