@NullMarked
package io.anabranch.protocol.command;

import org.jspecify.annotations.NullMarked;
