package io.quorumlb.lbctl;

/** How data is written. */
enum OutputFormat {
    /** Tables for people. */
    TABLE,
    /** Tables of objects with more columns: labels, revision, ids. */
    WIDE,
    /** The proto3 JSON of the response. */
    JSON,
    /** The same as YAML. */
    YAML
}
