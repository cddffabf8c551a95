/**
 * Configuration files as trees of texts, as they are written: for those who show what stands there
 * and for those who change it.
 *
 * <p>Start at {@link io.anabranch.rules.config.document.ConfigurationDocuments}. Uses SnakeYAML;
 * takes texts that are known to be valid. Immutable; any thread.
 */
@NullMarked
package io.anabranch.rules.config.document;

import org.jspecify.annotations.NullMarked;
