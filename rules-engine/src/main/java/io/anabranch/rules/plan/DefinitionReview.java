package io.anabranch.rules.plan;

import java.util.List;

/** Looks at the tables that a definition has left behind. Blocks: it asks the databases. */
@FunctionalInterface
public interface DefinitionReview {

  /**
   * To be called once, when the definition has been done everywhere.
   *
   * @return level, code and message of what is to be warned of
   * @throws io.anabranch.rules.error.RefusedException if it was not done, although all said so: a
   *     part had something else of that name
   */
  List<List<String>> warnings();
}
