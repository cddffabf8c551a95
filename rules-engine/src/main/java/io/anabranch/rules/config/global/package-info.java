/**
 * The readers of the global file: users and privileges, properties, transactions.
 *
 * <p>Start at {@link io.anabranch.rules.config.global.GlobalReader}. Imports {@code
 * rules.config.yaml} and {@code rules.model}. Single-threaded.
 */
@NullMarked
package io.anabranch.rules.config.global;

import org.jspecify.annotations.NullMarked;
