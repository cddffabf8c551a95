package io.anabranch.frontend.answer;

import io.anabranch.backend.lease.SessionSettings;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that decides an answer beside the rows of tables: two statements with equal keys get the same
 * bytes. Immutable.
 */
public final class AnswerKey {

  private final Object rules;
  private final String database;
  private final String user;
  private final SessionSettings settings;
  private final long capabilities;
  private final Object ruling;
  private final byte[] text;
  private final byte @Nullable [] values;
  private final int hash;

  /**
   * @param rules the configuration in force: the same object
   * @param user the account's name
   * @param settings of the session, with its character sets, {@code sql_mode} and {@code time_zone}
   * @param capabilities of the client, which decide the packets' form
   * @param ruling what query rules say of it
   * @param text in the session's character set; not modified
   * @param values of parameters, with their types; null: it is a statement of the text protocol
   */
  public AnswerKey(
      Object rules,
      String database,
      String user,
      SessionSettings settings,
      long capabilities,
      Object ruling,
      byte[] text,
      byte @Nullable [] values) {
    this.rules = rules;
    this.database = database;
    this.user = user;
    this.settings = settings;
    this.capabilities = capabilities;
    this.ruling = ruling;
    this.text = text;
    this.values = values;
    int all = Arrays.hashCode(text);
    all = 31 * all + Arrays.hashCode(values);
    all = 31 * all + Objects.hash(database, user, settings, capabilities);
    this.hash = 31 * all + System.identityHashCode(rules);
  }

  /** Bytes of its arrays, and of settings that are long. */
  long weight() {
    return text.length + (values == null ? 0L : values.length) + settings.weight();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // configurations are replaced, never changed
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof AnswerKey that
            && hash == that.hash
            && rules == that.rules
            && capabilities == that.capabilities
            && database.equals(that.database)
            && user.equals(that.user)
            && settings.equals(that.settings)
            && ruling.equals(that.ruling)
            && Arrays.equals(text, that.text)
            && Arrays.equals(values, that.values));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
