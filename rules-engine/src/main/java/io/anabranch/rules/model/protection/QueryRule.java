package io.anabranch.rules.model.protection;

import io.anabranch.rules.lexer.StatementKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of statements of some kind. Rules are asked in the order of their list; the first
 * one that matches is the last, unless it goes on.
 *
 * @param name what it is called in errors and statistics
 * @param logOnly it counts and logs what it matches, and nothing else; those behind it are asked
 * @param goesOn those behind it are asked, too
 */
public record QueryRule(
    String name, Matching matching, Actions actions, boolean logOnly, boolean goesOn) {

  /**
   * Which statements: all that fulfil all of it. Empty is any.
   *
   * @param digests of the normalised text, 32 hexadecimal digits in lower case
   * @param digestPattern in the normalised text
   * @param pattern in the text
   * @param kinds what they do; SELECT is any query
   * @param tables logical names in lower case, with or without their database
   * @param databases logical names in lower case
   * @param users names of accounts
   * @param exceptUsers whose statements do not
   * @param networks of the client, as {@code Network.parse} reads them
   * @param hints of the comment in front, keys in lower case without underscores; the empty text is
   *     any value
   * @param traits that they have
   * @param moreThanDataSources they go to more data sources; 0: to any number
   */
  public record Matching(
      Set<String> digests,
      @Nullable TextPattern digestPattern,
      @Nullable TextPattern pattern,
      Set<StatementKind> kinds,
      Set<String> tables,
      Set<String> databases,
      Set<String> users,
      Set<String> exceptUsers,
      List<String> networks,
      Map<String, String> hints,
      Set<StatementTrait> traits,
      int moreThanDataSources) {

    public Matching {
      digests = Set.copyOf(digests);
      kinds = Set.copyOf(kinds);
      tables = Set.copyOf(tables);
      databases = Set.copyOf(databases);
      users = Set.copyOf(users);
      exceptUsers = Set.copyOf(exceptUsers);
      networks = List.copyOf(networks);
      hints = Map.copyOf(hints);
      traits = Set.copyOf(traits);
    }

    /** Whether each text must be looked at, whatever its plan is. */
    public boolean looksForInjections() {
      return traits.contains(StatementTrait.INJECTION);
    }

    /** Whether it concerns all statements of the user. */
    public boolean concerns(String user) {
      return (users.isEmpty() || users.contains(user)) && !exceptUsers.contains(user);
    }
  }

  /** Where a statement goes instead. */
  public sealed interface Route {

    /** To the primary of its group. */
    record Primary() implements Route {}

    /** Where plain reads of its group go, whatever its session has written before. */
    record Replica() implements Route {}

    /** To a data source or group, as it is. */
    record DataSource(String name) implements Route {}
  }

  /**
   * Where statements go as well, once they have been answered; nobody waits for what comes of it.
   *
   * @param database the logical one whose data source it is; null: the statement's
   * @param dataSource a data source or group, which gets the text as it is
   * @param writes whether what changes rows goes there, too
   */
  public record Mirror(@Nullable String database, String dataSource, boolean writes) {}

  /**
   * What is done. Of several rules that match, the first one that says where to go, where else, how
   * to be called and of what priority it is holds, and the least of each number.
   *
   * @param rewrite what is put in the place of each part of the text in which the rule's pattern is
   *     found; null: it stays as it is
   * @param deny what the client is told; null: it is not refused
   * @param route null: where it goes anyway
   * @param milliseconds from the command to the end of the answer; 0: any time
   * @param maxRows that the client gets; 0: all
   * @param maxBytes of rows that the client gets; 0: all
   * @param maxDataSources that it may go to; 0: any number
   * @param statementsAtATime that may run of those that match; 0: any number
   * @param tag in the logs of statements; null: none
   * @param mirror null: it goes nowhere else
   * @param cacheMilliseconds for which others get the same answer; 0: they do not
   * @param merges whether others who ask the same meanwhile get the same answer
   * @param priority who is sent away first where there is not enough for all; null: nothing is said
   * @param logs whether the proxy's log tells of it
   */
  public record Actions(
      @Nullable String rewrite,
      @Nullable String deny,
      @Nullable Route route,
      long milliseconds,
      long maxRows,
      long maxBytes,
      int maxDataSources,
      int statementsAtATime,
      @Nullable String tag,
      @Nullable Mirror mirror,
      long cacheMilliseconds,
      boolean merges,
      @Nullable Priority priority,
      boolean logs) {

    /** Whether one session's answer may be another's. */
    public boolean shares() {
      return cacheMilliseconds > 0 || merges;
    }

    /** Their keys in the configuration. */
    public List<String> keys() {
      var keys = new ArrayList<String>();
      if (rewrite != null) {
        keys.add("rewrite");
      }
      if (deny != null) {
        keys.add("deny");
      }
      if (route != null) {
        keys.add("route");
      }
      if (milliseconds > 0) {
        keys.add("milliseconds");
      }
      if (maxRows > 0) {
        keys.add("maxRows");
      }
      if (maxBytes > 0) {
        keys.add("maxBytes");
      }
      if (maxDataSources > 0) {
        keys.add("maxDataSources");
      }
      if (statementsAtATime > 0) {
        keys.add("statementsAtATime");
      }
      if (tag != null) {
        keys.add("tag");
      }
      if (mirror != null) {
        keys.add("mirror");
      }
      if (cacheMilliseconds > 0) {
        keys.add("cacheMilliseconds");
      }
      if (merges) {
        keys.add("merge");
      }
      if (priority != null) {
        keys.add("priority");
      }
      if (logs) {
        keys.add("log");
      }
      return keys;
    }
  }
}
