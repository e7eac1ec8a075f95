package io.quorumlb.lbctl;

/** How people see a response. */
@FunctionalInterface
interface View<R> {
    /** Writes the response on the page. */
    void show(R response, Page page);
}
