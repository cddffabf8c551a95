package io.anabranch.app.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lists of names as Mycat writes them: {@code dn1,dn2}, {@code dn$1-10}, {@code dn$0-3}. */
final class MycatNames {

  private static final Pattern RANGE = Pattern.compile("(.*?)\\$(\\d{1,6})-(\\d{1,6})(.*)");

  private MycatNames() {}

  static List<String> of(String list) {
    var names = new ArrayList<String>();
    for (String part : list.split(",", -1)) {
      String name = part.strip();
      Matcher range = RANGE.matcher(name);
      if (range.matches()) {
        int last = Integer.parseInt(range.group(3));
        for (int i = Integer.parseInt(range.group(2)); i <= last; i++) {
          names.add(range.group(1) + i + range.group(4));
        }
      } else if (!name.isEmpty()) {
        names.add(name);
      }
    }
    return names;
  }
}
