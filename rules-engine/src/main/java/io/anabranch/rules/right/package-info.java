/**
 * What users are granted, in MySQL's words: privileges on databases and tables, and what a
 * statement needs of them.
 *
 * <p>Start with {@link io.anabranch.rules.right.Grants}. Imports nothing. Everything here is
 * immutable.
 */
@NullMarked
package io.anabranch.rules.right;

import org.jspecify.annotations.NullMarked;
