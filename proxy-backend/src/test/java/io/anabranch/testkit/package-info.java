/**
 * Real MariaDB servers for tests: one process per node, own data directory under {@code target/},
 * own free port, loopback only.
 *
 * <p>Start reading at {@link io.anabranch.testkit.MariaDbServer}. Tests take the servers shared by
 * their JVM from {@link io.anabranch.testkit.MariaDbServers} and make databases of their own in
 * them; who stops, kills or reconfigures a server starts one for itself. Imports the JDK and JUnit
 * only. Nothing here starts threads but the shutdown hook that ends forgotten processes.
 */
@NullMarked
package io.anabranch.testkit;

import org.jspecify.annotations.NullMarked;
