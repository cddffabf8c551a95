package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.NearestName;
import java.util.Collection;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Users whom a rule of a database names. */
final class Accounts {

  private Accounts() {}

  /**
   * @param users without regard to case
   * @param accounts names of those who may log in
   * @param problems takes what is wrong and what is suggested, of each who is none of them
   */
  static void check(
      Collection<String> users,
      Set<String> accounts,
      BiConsumer<String, @Nullable String> problems) {
    for (String user : users) {
      if (accounts.stream().noneMatch(user::equalsIgnoreCase)) {
        problems.accept("there is no user `" + user + "`", NearestName.suggestion(user, accounts));
      }
    }
  }
}
