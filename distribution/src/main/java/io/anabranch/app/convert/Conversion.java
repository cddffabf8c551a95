package io.anabranch.app.convert;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What became of another proxy's configuration.
 *
 * @param files contents by name
 * @param leftovers what is not among it
 */
public record Conversion(SortedMap<String, String> files, List<Leftover> leftovers) {

  public Conversion(Map<String, String> files, List<Leftover> leftovers) {
    this(new TreeMap<>(files), leftovers);
  }

  public Conversion {
    leftovers = List.copyOf(leftovers);
  }
}
