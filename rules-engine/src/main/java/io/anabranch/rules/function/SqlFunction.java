package io.anabranch.rules.function;

import java.util.Set;

/**
 * One function.
 *
 * @param name upper case
 * @param traits what it is beside a value of its arguments; empty for most
 * @param flavours the servers that bring it along
 */
public record SqlFunction(String name, Set<Trait> traits, Set<Flavour> flavours) {

  public SqlFunction {
    traits = Set.copyOf(traits);
    flavours = Set.copyOf(flavours);
  }

  /** One that no server brings along, as far as is known here. */
  static SqlFunction unknown(String name) {
    return new SqlFunction(name, Set.of(Trait.UNKNOWN), Set.of());
  }

  public boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** Whether a value of its own for each row is what it is for: it does not matter who makes it. */
  public boolean isOfEachCall() {
    return is(Trait.RANDOM) || is(Trait.CLOCK);
  }

  /** Whether only the session's own connection, or none but the primary, answers it. */
  public boolean isTied() {
    return is(Trait.PRIMARY)
        || is(Trait.SEQUENCE)
        || is(Trait.LOCK)
        || name.equals("CONNECTION_ID");
  }

  /**
   * Whether connections to several servers may give one statement different values for it, though
   * they have the same settings and the same moment.
   */
  public boolean differsByConnection() {
    return isTied() || is(Trait.RANDOM) || is(Trait.SESSION) || is(Trait.SERVER);
  }

  /**
   * Whether several servers of this flavour surely compute the same of the same arguments in
   * sessions with the same settings and the same moment.
   */
  public boolean isSameEverywhere(Flavour flavour) {
    return !differsByConnection()
        && !is(Trait.CLOCK)
        && !is(Trait.UNKNOWN)
        && flavours.contains(flavour);
  }
}
