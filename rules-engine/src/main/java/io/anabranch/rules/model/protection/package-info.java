/** What protects databases from clients: limits of what they may take, as the files give them. */
@NullMarked
package io.anabranch.rules.model.protection;

import org.jspecify.annotations.NullMarked;
