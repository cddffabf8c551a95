/**
 * The merge lane over connections that a driver keeps to itself: one of the operator's own that has
 * a MariaDB connection inside.
 *
 * <p>JDBC's result sets have lost what a client must get (flags, lengths, zero dates, numbers as
 * they were sent). So commands and answers go through the MariaDB driver's own packet writer and
 * reader: {@link io.anabranch.backend.jdbc.DriverConnection} gives the server's bytes, as the wire
 * does. Start with {@link io.anabranch.backend.jdbc.LaneConnections}.
 *
 * <p>May use {@code java.sql} and {@code org.mariadb.jdbc}. Everything here blocks; a connection is
 * used by one virtual thread at a time.
 */
@NullMarked
package io.anabranch.backend.jdbc;

import org.jspecify.annotations.NullMarked;
