package io.anabranch.frontend.session;

import io.anabranch.rules.model.protection.Priority;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a session is at, since when, and who can end it. On the session's event loop. */
public final class RunningCommand {

  private static final String IDLE = "Sleep";
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private Consumer<RuntimeException> interrupter = _ -> {};
  private String name = IDLE;
  private byte @Nullable [] sql;

  /** What runs in its place; null: it runs itself. */
  private @Nullable String other;

  private long since = System.nanoTime();
  private Priority priority = Priority.NORMAL;

  RunningCommand() {}

  /**
   * A command starts.
   *
   * @param command as SHOW PROCESSLIST names it
   * @param text what it runs; null: nothing that has a text
   * @return when, {@link System#nanoTime}
   */
  public long started(String command, byte @Nullable [] text) {
    name = command;
    sql = text;
    other = null;
    since = System.nanoTime();
    return since;
  }

  /** The proxy has put another text in its place, such as that of a named statement. */
  public void runs(String text) {
    other = text;
  }

  /** What others are told that runs, in the place of its own text. */
  public void tells(String shown) {
    sql = shown.getBytes(StandardCharsets.US_ASCII);
  }

  /** The command has been answered. */
  public void finished() {
    finished(System.nanoTime());
  }

  /**
   * The same.
   *
   * @param now {@link System#nanoTime}
   */
  public void finished(long now) {
    name = IDLE;
    sql = null;
    other = null;
    since = now;
  }

  /** Of the statement that runs, until another one is said. */
  public void priority(Priority next) {
    priority = next;
  }

  Priority priority() {
    return priority;
  }

  public boolean isIdle() {
    return name.equals(IDLE);
  }

  /** How long the client has been silent; −1 while a command runs. */
  public long idleNanos() {
    return isIdle() ? System.nanoTime() - since : -1;
  }

  String name() {
    return name;
  }

  long nanos() {
    return System.nanoTime() - since;
  }

  long seconds() {
    return nanos() / NANOS_PER_SECOND;
  }

  /**
   * Whether its text, or what runs in its place, has the word in any place.
   *
   * @param word in capitals
   */
  boolean mentions(String word) {
    byte[] own = sql;
    String running = other;
    return (own != null && has(new String(own, StandardCharsets.ISO_8859_1), word))
        || (running != null && has(running, word));
  }

  private static boolean has(String text, String word) {
    return text.toUpperCase(Locale.ROOT).contains(word);
  }

  @Nullable RunningText text(Charset charset) {
    byte[] running = sql;
    return running == null ? null : new RunningText(running, charset);
  }

  /** Who can end what runs in this session. */
  public void interruptedBy(Consumer<RuntimeException> whoCan) {
    interrupter = whoCan;
  }

  /**
   * Ends the running statement, if there is one.
   *
   * @param reason what the client is told
   */
  public void interrupt(RuntimeException reason) {
    interrupter.accept(reason);
  }
}
