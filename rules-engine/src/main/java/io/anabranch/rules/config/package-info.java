/**
 * Reads {@code conf/} into a {@link io.anabranch.rules.model.RuleSet}, or says everything that is
 * wrong with it.
 *
 * <p>Start at {@link io.anabranch.rules.config.ConfigurationLoader}. One reader class per part of
 * the files; all of them read through {@link io.anabranch.rules.config.yaml.Section}, which
 * remembers which keys were asked for, so that a key nobody asked for is an unknown key. Problems
 * are collected, never thrown, until all files are read.
 *
 * <p>The rooms below it are the only users of SnakeYAML. May import {@code rules.model}, {@code
 * rules.secret}, {@code rules.algorithm}, {@code rules.lexer} and {@code rules.expression}.
 * Single-threaded; {@code ConfigurationLoader} itself may be called from any thread.
 */
@NullMarked
package io.anabranch.rules.config;

import org.jspecify.annotations.NullMarked;
