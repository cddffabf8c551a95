package io.anabranch.rules.planner.query;

import io.anabranch.rules.planner.strategy.Attempt;
import io.anabranch.rules.planner.strategy.Strategy;
import java.util.function.Supplier;

/**
 * To plan another query and to use its rows, as for SELECT … INTO.
 *
 * @param detour says whether the client's query is one of those
 */
record DetourStrategy(String name, Supplier<Attempt> detour) implements Strategy {

  /** The other query is planned for itself, wherever its tables are. */
  @Override
  public boolean bringsTogether() {
    return true;
  }

  @Override
  public Attempt attempt() {
    return detour.get();
  }
}
