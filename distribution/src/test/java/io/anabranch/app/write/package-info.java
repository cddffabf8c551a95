/**
 * INSERT, UPDATE, DELETE over shards: rows, counts, generated and unique keys, several tables,
 * failures of some nodes. Start with {@code WritesIT}.
 */
@NullMarked
package io.anabranch.app.write;

import org.jspecify.annotations.NullMarked;
