/**
 * Connections to the databases and who has them: shared by sessions that read, waited for, left
 * behind by clients that go, killed, silent, leaked. Start with {@code SharedConnectionsIT}.
 */
@NullMarked
package io.anabranch.app.connection;

import org.jspecify.annotations.NullMarked;
