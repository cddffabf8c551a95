/**
 * What protects databases from clients, as the files give it: limits of what they may take, rules
 * for their statements. Start at {@link io.anabranch.rules.model.protection.Protection}. Imports
 * nothing but the lexer's names of kinds; the only user of RE2. Immutable.
 */
@NullMarked
package io.anabranch.rules.model.protection;

import org.jspecify.annotations.NullMarked;
