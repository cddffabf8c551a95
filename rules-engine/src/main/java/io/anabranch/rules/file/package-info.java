/**
 * Files that operators name, and how the lines of files that clients load are read ({@link
 * io.anabranch.rules.file.FileFormat}).
 *
 * <p>Start at {@link io.anabranch.rules.file.PlainFile}. Imports {@code rules.value} only.
 * Stateless; any thread that may block.
 */
@NullMarked
package io.anabranch.rules.file;

import org.jspecify.annotations.NullMarked;
