package io.anabranch.frontend.session;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.frontend.response.Replies;
import io.anabranch.protocol.message.SessionChange;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.LengthEncoded;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a session's own statements have changed in it, for the OK packet of the statement that did,
 * as <a href="https://dev.mysql.com/doc/refman/8.4/en/session-state-tracking.html">session state
 * tracking</a> has it. What statements change that the relay passes on is told by the database.
 *
 * <p>Used by whoever uses the session.
 */
public final class StateChanges implements Replies.SessionState {

  /** Names the variables whose values are told. */
  private static final String TRACKED_VARIABLES = "session_track_system_variables";

  private static final String TRACKS_SCHEMA = "session_track_schema";
  private static final String TRACKS_STATE = "session_track_state_change";
  private static final String TRACKS_TRANSACTION = "session_track_transaction_info";

  /** What servers track whose administrator chose nothing else. */
  private static final Set<String> TRACKED_BY_DEFAULT =
      Set.of(
          "autocommit",
          "character_set_client",
          "character_set_connection",
          "character_set_results",
          "time_zone");

  private static final byte[] NOTHING = {};
  private static final byte[] CHANGED = {'1'};

  private final Session session;
  private final Map<String, String> variables = new TreeMap<>();
  private @Nullable String schema;
  private boolean changed;
  private @Nullable String transaction;

  StateChanges(Session session) {
    this.session = session;
  }

  /** The current database is another one, or the same once more. */
  public void schema(String name) {
    if (isOffered()) {
      schema = name;
      changed = true;
    }
  }

  /** Something is no more as it was: variables, also user variables. */
  public void state() {
    changed = isOffered();
  }

  /**
   * Whether the client is told of the system variable's new values.
   *
   * @param settings which may say what is tracked
   */
  public boolean tracks(String variable, SessionSettings settings) {
    if (!isOffered()) {
      return false;
    }
    String chosen = text(settings, TRACKED_VARIABLES);
    if (chosen == null) {
      return TRACKED_BY_DEFAULT.contains(variable);
    }
    for (String each : chosen.toLowerCase(Locale.ROOT).split(",", -1)) {
      if (each.strip().equals(variable) || each.strip().equals("*")) {
        return true;
      }
    }
    return false;
  }

  /**
   * A system variable was set, to whatever value.
   *
   * @param value as SHOW VARIABLES has it, empty for NULL
   */
  public void variable(String name, String value) {
    state();
    if (tracks(name, session.settings())) {
      variables.put(name, value);
    }
  }

  /** A transaction began, or ended. */
  public void transaction(boolean isOpen) {
    transaction = isOffered() ? (isOpen ? "T_______" : "________") : null;
  }

  /** Whether the client wants to be told that its state has changed, whatever connections tell. */
  public boolean tracksState() {
    return isOn(TRACKS_STATE, false);
  }

  private boolean isOffered() {
    return session.has(Capability.SESSION_TRACK);
  }

  /** Null if the session has not chosen. */
  private static @Nullable String text(SessionSettings settings, String name) {
    String literal = settings.variables().get(name);
    return literal == null ? null : literal.replace("'", "");
  }

  private boolean isOn(String name, boolean byDefault) {
    String value = text(session.settings(), name);
    return value == null ? byDefault : value.equals("1") || value.equalsIgnoreCase("ON");
  }

  @Override
  public void clear() {
    variables.clear();
    schema = null;
    changed = false;
    transaction = null;
  }

  @Override
  public byte[] take() {
    if (!changed && transaction == null) {
      return NOTHING;
    }
    ByteBuf out = Unpooled.buffer();
    variables.forEach((name, value) -> change(out, SessionChange.SYSTEM_VARIABLES, name, value));
    if (schema != null && isOn(TRACKS_SCHEMA, true)) {
      change(out, SessionChange.SCHEMA, schema);
    }
    if (changed && isOn(TRACKS_STATE, false)) {
      new SessionChange(SessionChange.STATE_CHANGE, CHANGED).encode(out);
    }
    if (transaction != null
        && "STATE".equalsIgnoreCase(text(session.settings(), TRACKS_TRANSACTION))) {
      change(out, SessionChange.TRANSACTION_STATE, transaction);
    }
    clear();
    return ByteBufUtil.getBytes(out);
  }

  private static void change(ByteBuf out, int type, String... texts) {
    ByteBuf data = Unpooled.buffer();
    for (String text : texts) {
      LengthEncoded.writeBytes(data, text.getBytes(StandardCharsets.UTF_8));
    }
    new SessionChange(type, ByteBufUtil.getBytes(data)).encode(out);
  }
}
