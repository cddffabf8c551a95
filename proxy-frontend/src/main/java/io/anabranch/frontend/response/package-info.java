/**
 * What goes to the client: sequence numbers, EOF forms, flush policy, back pressure. {@code
 * ClientSink} takes packets from the relay lane, {@code MergedRows} rows from the merge lane,
 * {@code Replies} writes the proxy's own answers, and {@code Failures} is the one place where a
 * throwable becomes an ERR packet.
 *
 * <p>May import {@code mysql-protocol}, the plan language and the backend's contracts; knows
 * nothing of sessions. Everything runs on the client's event loop but {@code MergedRows}, which one
 * virtual thread calls.
 */
@org.jspecify.annotations.NullMarked
package io.anabranch.frontend.response;
