package io.anabranch.frontend.table;

import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All tables of the schema {@code anabranch}. Immutable. */
public final class VirtualSchema {

  /** A logical database of this name takes its place. */
  public static final String NAME = "anabranch";

  public static final VirtualSchema EMPTY = new VirtualSchema(List.of());

  private final NavigableMap<String, VirtualTable> tables = new TreeMap<>();

  public VirtualSchema(List<VirtualTable> tables) {
    for (VirtualTable table : tables) {
      this.tables.put(table.name(), table);
    }
  }

  /** The table of that name, in whatever case; null if there is none. */
  public @Nullable VirtualTable table(String name) {
    return tables.get(name.toLowerCase(Locale.ROOT));
  }

  /** By name. */
  public List<VirtualTable> tables() {
    return List.copyOf(tables.values());
  }
}
