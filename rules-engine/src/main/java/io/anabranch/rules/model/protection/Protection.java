package io.anabranch.rules.model.protection;

import java.util.List;

/**
 * What protects databases from clients.
 *
 * @param limits of what clients may take, in the order of the file
 */
public record Protection(List<Limit> limits) {

  public static final Protection NONE = new Protection(List.of());

  public Protection {
    limits = List.copyOf(limits);
  }
}
