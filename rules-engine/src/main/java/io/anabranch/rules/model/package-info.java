/**
 * The configuration as the rest of the proxy sees it: validated, immutable, versioned.
 *
 * <p>Start at {@link io.anabranch.rules.model.RuleSet}. Records only; made by {@code rules.config},
 * read by everybody, on any thread. Names are resolved: every data source that a record names
 * exists, every algorithm is made, auto tables have their nodes. May import {@code
 * rules.algorithm}.
 */
@NullMarked
package io.anabranch.rules.model;

import org.jspecify.annotations.NullMarked;
