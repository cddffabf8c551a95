package io.anabranch.frontend.rewrite;

import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.frontend.effect.UserVariables;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.effort.PlanningRoom;
import io.anabranch.rules.error.ErrorCatalogue;

/**
 * What the user variables take whose values are put into one statement: a short text may name a
 * long value any number of times. Each is {@linkplain #add counted} before it is written; the whole
 * may be as long as a command. Used by one thread at a time, and closed when the statement has its
 * text or its parameters.
 */
public final class WrittenValues implements AutoCloseable {

  /** What a character of a kept value becomes on its way: bytes, texts, parts of a statement. */
  private static final int FORMS = 4;

  private final Session session;
  private final long most;
  private final MemoryCharge memory;
  private long characters;

  public WrittenValues(Session session) {
    this.session = session;
    this.most = session.statements().kept().most();
    this.memory = session.memory().charge(MemoryKind.HEAP, "the values of user variables");
  }

  /** Whether the session's values are long enough to keep an event loop from its other work. */
  public static boolean mayBeLong(Session session) {
    return session.settings().weight() > PlanningRoom.LARGE;
  }

  /**
   * The value of a variable is written once more.
   *
   * @param name lower case
   * @throws io.anabranch.rules.error.RefusedException if there is no room for it
   */
  public void add(String name) {
    characters += UserVariables.length(session, name);
    if (characters > most) {
      throw ErrorCatalogue.VALUES_TOO_LONG.refuse(name, most);
    }
    if (characters > PlanningRoom.LARGE) {
      memory.to(FORMS * characters);
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
