/**
 * The tarball, its scripts and the files for containers. Start with {@code TarballIT}; {@code
 * TarballTraining} is no test but a step of the build, which makes the cache of classes.
 */
@NullMarked
package io.anabranch.app.installation;

import org.jspecify.annotations.NullMarked;
