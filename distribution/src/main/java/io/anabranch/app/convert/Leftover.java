package io.anabranch.app.convert;

/**
 * Something that was not converted, or not quite.
 *
 * @param place file and line
 * @param what in the words of that file
 * @param why what differs here, and what to do
 */
public record Leftover(String place, String what, String why) {

  @Override
  public String toString() {
    return place + ": " + what + ": " + why;
  }
}
