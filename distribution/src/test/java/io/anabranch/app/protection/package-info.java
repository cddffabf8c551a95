/**
 * Rules about what passes: encrypted columns, query rules, limits of users. Start with {@code
 * EncryptIT}.
 */
@NullMarked
package io.anabranch.app.protection;

import org.jspecify.annotations.NullMarked;
