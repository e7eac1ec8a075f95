package io.quorumlb.verify.cluster;

import io.quorumlb.proto.v1.NodeReport;
import io.quorumlb.proto.v1.PoolReport;
import java.util.function.Function;

/**
 * The tables of the site's pools: the first 16 hexadecimal digits of each digest, empty where there is none.
 *
 * @param web of pool web
 * @param web2 of pool web2
 * @param web6 of pool web6
 */
record Tables(String web, String web2, String web6) {
    private static final int DIGITS = 16;

    /** Asks for each pool's digest and shortens it. */
    static Tables of(Function<SitePool, String> digest) {
        return new Tables(
                shortened(digest.apply(SitePool.WEB)),
                shortened(digest.apply(SitePool.WEB2)),
                shortened(digest.apply(SitePool.WEB6)));
    }

    /** Returns what a node says its switch holds. */
    static Tables installed(NodeReport report) {
        return of(pool -> report.getPoolsList().stream()
                .filter(one -> one.getPoolId() == pool.id())
                .map(PoolReport::getInstalledDigest)
                .findFirst()
                .orElse(""));
    }

    /** Returns the digest of one pool's table. */
    String of(SitePool pool) {
        return switch (pool) {
            case WEB -> web;
            case WEB2 -> web2;
            case WEB6 -> web6;
        };
    }

    /** Returns these tables with another one for pool web. */
    Tables withWeb(String digest) {
        return new Tables(digest, web2, web6);
    }

    private static String shortened(String digest) {
        return digest.substring(0, Math.min(DIGITS, digest.length()));
    }

    @Override
    public String toString() {
        return "web %s, web2 %s, web6 %s".formatted(web, web2, web6);
    }
}
