/** Tables of text. */
@NullMarked
package io.anabranch.app.cli.text;

import org.jspecify.annotations.NullMarked;
