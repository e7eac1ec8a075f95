package io.quorumlb.lbctl;

import com.google.protobuf.Message;

/** Writes what people see of a response. */
record TextOutput(Console console) implements Output {
    @Override
    public <R extends Message> void print(R response, View<? super R> view) {
        Page page = new Page(new Palette(console.colour()));
        view.show(response, page);
        console.out().print(page.text());
    }
}
