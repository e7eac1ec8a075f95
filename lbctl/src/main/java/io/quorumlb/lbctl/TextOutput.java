package io.quorumlb.lbctl;

import com.google.protobuf.Message;

/**
 * Writes what people see of a response.
 *
 * @param width how much of it
 */
record TextOutput(Console console, Page.Width width) implements Output {
    @Override
    public <R extends Message> void print(R response, View<? super R> view) {
        Page page = new Page(new Palette(console.colour()), width);
        view.show(response, page);
        console.out().print(page.text());
    }
}
