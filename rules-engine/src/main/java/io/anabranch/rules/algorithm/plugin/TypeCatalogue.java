package io.anabranch.rules.algorithm.plugin;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Types of one kind that configurations name, built-in ones and those of plug-ins. To be filled by
 * one thread; then it is read by many.
 *
 * @param <T> what is made of a type and its {@code props}
 */
public final class TypeCatalogue<T> {

  private final String kind;
  private final Set<String> elsewhere;
  private final Map<String, Function<Map<String, String>, ? extends T>> types = new TreeMap<>();

  /**
   * @param kind for messages: {@code sharding algorithm}
   */
  public TypeCatalogue(String kind) {
    this(kind, Set.of());
  }

  /**
   * @param elsewhere types that are made elsewhere and that no plug-in may have, in upper snake
   *     case
   */
  public TypeCatalogue(String kind, Set<String> elsewhere) {
    this.kind = kind;
    this.elsewhere = Set.copyOf(elsewhere);
  }

  /**
   * @param maker throws {@link io.anabranch.rules.algorithm.InvalidPropertiesException}
   */
  public void builtIn(String type, Function<AlgorithmProperties, ? extends T> maker) {
    builtInOfAny(type, properties -> maker.apply(new AlgorithmProperties(properties)));
  }

  /** A built-in type that does not know all of its {@code props}. */
  public void builtInOfAny(String type, Function<Map<String, String>, ? extends T> maker) {
    types.put(type, maker);
  }

  /**
   * A type of a plug-in.
   *
   * @param type asked once
   * @param maker asks the provider by {@link PlugInGuard#made} and guards what it makes
   * @throws IllegalArgumentException if another one has this type, or there is none
   */
  public void provided(Supplier<String> type, Maker<? extends T> maker) {
    String name =
        new PlugInGuard(kind, "(not told)").made(() -> type.get().toUpperCase(Locale.ROOT));
    var guard = new PlugInGuard(kind, name);
    boolean isTaken = types.put(name, properties -> maker.make(guard, properties)) != null;
    if (isTaken || elsewhere.contains(name)) {
      String several = kind.replaceFirst("y$", "ie") + "s";
      throw new IllegalArgumentException("two " + several + " have the type " + name);
    }
  }

  /** Upper snake case. */
  public Set<String> types() {
    return Collections.unmodifiableSet(types.keySet());
  }

  /**
   * @param type without regard to case; must be one of {@link #types}
   * @throws io.anabranch.rules.algorithm.InvalidPropertiesException with everything that is wrong,
   *     by built-ins
   * @throws IllegalArgumentException whose message names the property and the cure, by providers
   */
  public T make(String type, Map<String, String> properties) {
    Function<Map<String, String>, ? extends T> maker = types.get(type.toUpperCase(Locale.ROOT));
    if (maker == null) {
      throw new IllegalArgumentException("unknown type " + type);
    }
    return maker.apply(properties);
  }

  /**
   * Makes one by its provider.
   *
   * @param <T> what
   */
  public interface Maker<T> {

    /**
     * @throws IllegalArgumentException whose message names the property and the cure
     */
    T make(PlugInGuard guard, Map<String, String> properties);
  }
}
