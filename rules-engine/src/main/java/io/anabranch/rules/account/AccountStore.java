package io.anabranch.rules.account;

import java.util.List;

/**
 * Extension point: accounts that are kept outside of the configuration, in a directory say. Asked
 * once for each login whose name {@code authority.users} does not have. Thread-safe.
 *
 * <p>It is made anew whenever a configuration is read, also to be looked at only, and is never
 * closed: it must not hold connections or threads between two questions.
 */
@FunctionalInterface
public interface AccountStore {

  /**
   * Whether a client may log in. On a thread of the store's own, which it may block: as many ask at
   * a time as {@code maxConcurrent} says, and whoever is not answered within {@code
   * timeoutMilliseconds} is turned away, and the thread interrupted.
   *
   * @param name as the client wrote it, of any characters; never empty
   * @param address where the client comes from: numbers, or {@code localhost} for a socket file
   * @param password what the client typed, in its character set (UTF-8 mostly); never empty.
   *     Overwritten when the answer is given
   * @return never null
   * @throws Exception ends this login alone, with AB2078; the log has its class and its place, its
   *     message is told nobody
   */
  Answer ask(String name, String address, byte[] password) throws Exception;

  /** What the store says of a login. */
  sealed interface Answer {}

  /**
   * The password is right, and the account may log in.
   *
   * @param groups whose member it is, as {@code roles} of the configuration call them; compared
   *     without regard to case. They decide whose rights it has; where none of them is named there,
   *     it may not log in
   */
  record Granted(List<String> groups) implements Answer {
    public Granted {
      groups = List.copyOf(groups);
    }
  }

  /** There is such an account, and it may not log in with that password, or at all. */
  record Refused() implements Answer {}

  /** There is no such account. The client is told the same as of {@link Refused}. */
  record Unknown() implements Answer {}
}
