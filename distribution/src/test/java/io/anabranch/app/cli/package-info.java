/** Tests of the command line, in this process: what the tarball's script does is TarballIT's. */
@org.jspecify.annotations.NullMarked
package io.anabranch.app.cli;
