/**
 * What operators read on a terminal: {@link io.anabranch.app.cli.text.TextTable}. For one thread.
 */
@NullMarked
package io.anabranch.app.cli.text;

import org.jspecify.annotations.NullMarked;
