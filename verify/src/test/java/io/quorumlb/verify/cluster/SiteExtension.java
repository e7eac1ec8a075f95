package io.quorumlb.verify.cluster;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the site: brought up once, converged before each test, made right again after each. */
final class SiteExtension implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {
    @Override
    public void beforeAll(ExtensionContext context) {
        site(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        site(context).awaitConverged(Site.ALL, Site.RECOVERY);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        site(context).heal();
        site(context).restoreMembers();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Site.class;
    }

    @Override
    public Site resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return site(context);
    }

    /** The store closes the site when the last test of the JVM has ended. */
    private static Site site(ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(SiteExtension.class))
                .computeIfAbsent(Site.class, _ -> Site.up(), Site.class);
    }
}
