package io.anabranch.rules.algorithm.plugin;

import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.algorithm.StoredKeys;
import io.anabranch.rules.value.SqlValue;
import java.util.List;

/** A key generator of a plug-in behind a guard. */
public sealed class GuardedKeys implements KeyGenerator permits GuardedStoredKeys {

  private final PlugInGuard guard;
  private final KeyGenerator plugIn;

  GuardedKeys(PlugInGuard guard, KeyGenerator plugIn) {
    this.guard = guard;
    this.plugIn = plugIn;
  }

  /**
   * The same generator.
   *
   * @throws IllegalArgumentException if what it tells of itself cannot be
   */
  public static KeyGenerator of(PlugInGuard guard, KeyGenerator plugIn) {
    return plugIn instanceof StoredKeys stored
        ? new GuardedStoredKeys(guard, stored, guard.made(stored::dataSource))
        : new GuardedKeys(guard, plugIn);
  }

  @Override
  public SqlValue next() {
    return checked(guard.asked(plugIn::next));
  }

  @Override
  public List<SqlValue> next(int count) {
    List<SqlValue> keys = guard.asked(() -> List.copyOf(plugIn.next(count)));
    if (keys.size() != count) {
      throw guard.refused("it gave " + keys.size() + " keys instead of " + count);
    }
    keys.forEach(this::checked);
    return keys;
  }

  private SqlValue checked(SqlValue key) {
    return switch (key) {
      case SqlValue.Null _, SqlValue.Unknown _ -> throw guard.refused("it gave a key of no value");
      case SqlValue.Int _,
          SqlValue.Decimal _,
          SqlValue.Floating _,
          SqlValue.Text _,
          SqlValue.Bytes _,
          SqlValue.Date _,
          SqlValue.DateTime _ ->
          key;
    };
  }
}
