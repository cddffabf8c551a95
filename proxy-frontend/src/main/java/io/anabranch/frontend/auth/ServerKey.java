package io.anabranch.frontend.auth;

import io.anabranch.protocol.handshake.CachingSha2;
import java.security.KeyPair;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The RSA key with which caching_sha2_password takes passwords over connections without TLS. One
 * per server process; made in the background, because it takes some tenths of a second.
 */
public final class ServerKey {

  private final FutureTask<KeyPair> pair;

  private ServerKey(FutureTask<KeyPair> pair) {
    this.pair = pair;
  }

  /** Starts a virtual thread that makes the key. */
  public static ServerKey generate() {
    var pair = new FutureTask<>(CachingSha2::generateKeyPair);
    Thread.ofVirtual().name("server-key").start(pair);
    return new ServerKey(pair);
  }

  /** The key; waits only if it is asked for right after the start of the process. */
  KeyPair pair() {
    try {
      return pair.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the RSA key is made", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("no RSA key could be made", e.getCause());
    }
  }
}
