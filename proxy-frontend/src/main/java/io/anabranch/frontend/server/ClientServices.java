package io.anabranch.frontend.server;

import io.anabranch.frontend.session.Deployment;
import io.anabranch.frontend.session.SessionListener;
import io.anabranch.frontend.session.SessionRegistry;
import io.netty.channel.group.ChannelGroup;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What all clients' handlers share. */
record ClientServices(
    ServerSettings settings,
    Supplier<Deployment> deployments,
    SessionRegistry registry,
    SessionListener listener,
    Executor background,
    SecureRandom random,
    BooleanSupplier draining,
    ChannelGroup clients,
    ViolationLog violations) {}
