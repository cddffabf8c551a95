package io.anabranch.frontend.auth;

import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.rules.account.StoredAccounts;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What to do after a packet of a client that is not authenticated yet. */
public sealed interface AuthenticationStep {

  /** Send the payload, then wait for the client's next packet. */
  record Continue(byte[] payload) implements AuthenticationStep {}

  /**
   * Run {@code check} off the event loop, because it computes for some milliseconds, then carry out
   * what {@link Authenticator#computed} makes of its result, on the event loop.
   */
  record Compute(BooleanSupplier check) implements AuthenticationStep {}

  /**
   * Ask the account store, then carry out what {@link Authenticator#answered} makes of its answer,
   * on the event loop.
   *
   * @param address of the client, as accounts call it
   * @param password not empty; whoever asks overwrites it
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Ask(StoredAccounts store, String name, String address, byte[] password)
      implements AuthenticationStep {}

  /**
   * The client sent SSLRequest: start TLS, call {@link Authenticator#secured}, then wait for the
   * client's next packet. Nothing is sent.
   */
  record StartTls() implements AuthenticationStep {}

  /**
   * Send the payload if there is one, then OK.
   *
   * @param payload of the plugin, as a packet of its own
   */
  record Granted(byte @Nullable [] payload, Login login) implements AuthenticationStep {}

  /** Send the error and close. */
  record Denied(ErrPacket error) implements AuthenticationStep {}
}
