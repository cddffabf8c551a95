package io.anabranch.backend.transaction;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.topology.TransactionMembers;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a session has said of its transaction; knows no connection. Not thread-safe. */
final class TransactionState {

  static final int IN_TRANSACTION = 0x0001;
  static final int AUTOCOMMIT = 0x0002;
  private static final int IN_READ_ONLY_TRANSACTION = 0x2000;

  private enum Phase {
    /** No transaction but what autocommit=0 implies. */
    NONE,
    /** After BEGIN. */
    EXPLICIT,
    /** One statement that is a transaction of its own on several data sources. */
    STATEMENT,
    /** One statement that commits by itself, whatever autocommit says: it joins nothing. */
    DDL
  }

  private final TransactionMembers members = new TransactionMembers();
  private final Savepoints savepoints = new Savepoints();
  private Phase phase = Phase.NONE;
  private boolean autocommit = true;
  private TransactionOptions options = TransactionOptions.DEFAULT;
  private TransactionOptions next = TransactionOptions.DEFAULT;

  /** What the session said when the transaction began; null: none has. */
  private @Nullable SessionSettings begunWith;

  private boolean tableless;
  private boolean mayEnd;
  private boolean runsProgram;

  /** Whether statements now belong to a transaction that COMMIT will end. */
  boolean isOpen() {
    return phase == Phase.EXPLICIT || (phase == Phase.NONE && !autocommit);
  }

  /** Whether a connection that is used now takes part in a transaction. */
  boolean joins() {
    return switch (phase) {
      case EXPLICIT, STATEMENT -> true;
      case DDL -> false;
      case NONE -> !autocommit && !tableless;
    };
  }

  /** Whether a transaction, if there is one, is what autocommit=0 implies. */
  boolean isImplied() {
    return phase == Phase.NONE && !autocommit;
  }

  boolean isExplicit() {
    return phase == Phase.EXPLICIT;
  }

  boolean isStatement() {
    return phase == Phase.STATEMENT;
  }

  boolean isAutocommit() {
    return autocommit;
  }

  void autocommit(boolean on) {
    autocommit = on;
  }

  /**
   * @param byDefault whether those are that did not say what they are
   */
  boolean isReadOnly(boolean byDefault) {
    return phase == Phase.EXPLICIT ? options.isReadOnly() : byDefault;
  }

  TransactionMembers members() {
    return members;
  }

  Savepoints savepoints() {
    return savepoints;
  }

  TransactionOptions options() {
    return options;
  }

  /**
   * @param opened whether a database takes part
   */
  int statusFlags(boolean opened) {
    int flags = autocommit ? AUTOCOMMIT : 0;
    if (phase == Phase.EXPLICIT || (phase == Phase.NONE && !autocommit && opened)) {
      flags |= IN_TRANSACTION;
      flags |= options.isReadOnly() ? IN_READ_ONLY_TRANSACTION : 0;
    }
    return flags;
  }

  /** BEGIN. */
  void begin(TransactionOptions wanted, SessionSettings settings) {
    begunWith = settings;
    begin(wanted);
  }

  private void begin(TransactionOptions wanted) {
    savepoints.clear();
    options = wanted.over(next);
    next = TransactionOptions.DEFAULT;
    phase = Phase.EXPLICIT;
  }

  /** A database opened a transaction by itself. */
  void adopt() {
    begunWith = null;
    phase = Phase.EXPLICIT;
  }

  /** The first connection of a transaction, which autocommit=0 may imply. */
  void open(SessionSettings settings) {
    if (phase == Phase.NONE || begunWith == null) {
      begunWith = settings;
    }
    if (phase == Phase.NONE) {
      options = next;
      next = TransactionOptions.DEFAULT;
    }
  }

  /** That was none: what was said for it is for the next one. */
  void takeBack() {
    next = options;
  }

  /** What comes before BEGIN on a connection that has what the session says by now. */
  List<String> asBegun(SessionSettings present) {
    SessionSettings former = begunWith;
    return former == null ? List.of() : SettingsReplay.transactionOf(former, present);
  }

  /** The transaction that has just begun reads one state of all data sources. */
  void snapshot() {
    options = TransactionOptions.SNAPSHOT.over(options);
  }

  /** A statement that is a transaction of its own. */
  void beginStatement() {
    begunWith = null;
    options = next;
    next = TransactionOptions.DEFAULT;
    phase = Phase.STATEMENT;
  }

  void beginDdl() {
    phase = Phase.DDL;
  }

  /**
   * The running statement is no transaction: none begins with it, and it leaves to the next what
   * was said for it.
   */
  void usesNoTables() {
    tableless = true;
  }

  /** Whether that was said of the running statement. */
  boolean isTableless() {
    return tableless;
  }

  /** The running statement may commit or roll back what it finds. */
  void mayEnd() {
    mayEnd = true;
  }

  /** Whether that was said of the statement that takes a connection now. */
  boolean takeMayEnd() {
    boolean said = mayEnd;
    mayEnd = false;
    runsProgram |= said;
    return said;
  }

  /** The running statement has others inside, which may switch autocommit on or off. */
  void beginProgram() {
    runsProgram = true;
  }

  /** Whether the running statement may switch autocommit on or off. */
  boolean runsProgram() {
    return runsProgram;
  }

  /** The running statement has ended on one of its connections. */
  void leaveStatement() {
    runsProgram = false;
    phase = phase == Phase.DDL ? Phase.NONE : phase;
    tableless = false;
  }

  /** The same of one that may have failed before it took a connection. */
  void endStatement() {
    mayEnd = false;
    leaveStatement();
  }

  /** Whether SET TRANSACTION has said anything of the next one. */
  boolean saysNext() {
    return !next.equals(TransactionOptions.DEFAULT);
  }

  /** Whether SET TRANSACTION has said of the next one whether it reads only. */
  boolean saysNextAccess() {
    return next.access() != null;
  }

  /** SET TRANSACTION. */
  void setNext(TransactionOptions wanted, boolean opened) {
    if (phase == Phase.EXPLICIT || opened) {
      throw ErrorCatalogue.TRANSACTION_IN_PROGRESS.refuse();
    }
    next = wanted.over(next);
  }

  TransactionOptions next() {
    return next;
  }

  void restoreNext(TransactionOptions former) {
    next = former;
  }

  /** SET SESSION of such variables counts for the next one, too. */
  void overrideNext(Collection<String> variables) {
    next = next.withoutThose(variables);
  }

  /** SET TRANSACTION in front of a statement outside of any transaction. */
  List<String> forOneStatement() {
    return joins() || tableless ? List.of() : next.forOneStatement();
  }

  /** A statement outside of any transaction has run: what was said for the next one is used up. */
  void nextUsedUp() {
    next = TransactionOptions.DEFAULT;
  }

  /**
   * The transaction is over.
   *
   * @param chain another one of the same isolation and access begins at once, even where none was
   *     open
   */
  void end(boolean chain) {
    savepoints.clear();
    members.clear();
    if (chain) {
      begin(options.withoutSnapshot());
    } else {
      phase = Phase.NONE;
      options = TransactionOptions.DEFAULT;
      begunWith = null;
    }
  }
}
