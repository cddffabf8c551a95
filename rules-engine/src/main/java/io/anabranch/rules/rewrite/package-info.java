/**
 * The client's text with other text in some places. {@link io.anabranch.rules.rewrite.SourceEdits}
 * collects what changes and gives {@link io.anabranch.rules.rewrite.Piece}s: text, and holes for
 * values, tables and lists of keys, which {@link io.anabranch.rules.rewrite.SqlRendering} fills for
 * one node.
 *
 * <p>Start with these. {@link io.anabranch.rules.rewrite.TableRewriting} makes holes of table
 * names, for a {@link io.anabranch.rules.rewrite.SqlTemplate} that is aimed at targets, {@link
 * io.anabranch.rules.rewrite.Substatement} makes a query of parts of a statement, {@link
 * io.anabranch.rules.rewrite.ExpandedText} puts text of views in; {@link
 * io.anabranch.rules.rewrite.OuterSlots} says what the slots of these are.
 *
 * <p>May import {@code rules.task} and what is below it. What edits is used once, by one thread;
 * pieces and plans are immutable, and rendering runs on event loops without blocking.
 */
@NullMarked
package io.anabranch.rules.rewrite;

import org.jspecify.annotations.NullMarked;
