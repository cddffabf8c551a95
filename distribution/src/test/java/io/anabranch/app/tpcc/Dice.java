package io.anabranch.app.tpcc;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The standard's random numbers and texts (clauses 2.1.6 and 4.3). Not thread-safe. */
final class Dice {

  private static final List<String> SYLLABLES =
      List.of("BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING");
  private static final int LAST_NAMES = 1000;

  private final Random random;

  Dice(long seed) {
    random = new Random(seed);
  }

  /** Both ends included. */
  int between(int low, int high) {
    return low + random.nextInt(high - low + 1);
  }

  boolean isOneOf(int in, int of) {
    return random.nextInt(of) < in;
  }

  /** Some numbers come more often than others: {@code a} is the standard's for the range. */
  int uneven(int a, int low, int high) {
    return ((between(0, a) | between(low, high)) % (high - low + 1)) + low;
  }

  int customer(Scale scale) {
    return uneven(1023, 1, scale.customers());
  }

  int item(Scale scale) {
    return uneven(8191, 1, scale.items());
  }

  String lastName(Scale scale) {
    return lastName(uneven(255, 0, Math.min(LAST_NAMES, scale.customers()) - 1));
  }

  /** The last name of a customer when the data is made. */
  String lastNameOf(int customer) {
    return lastName(customer <= LAST_NAMES ? customer - 1 : uneven(255, 0, LAST_NAMES - 1));
  }

  private static String lastName(int number) {
    return SYLLABLES.get(number / 100)
        + SYLLABLES.get(number / 10 % 10)
        + SYLLABLES.get(number % 10);
  }

  /** Another warehouse than {@code home}; itself where there is only one. */
  int other(int home, Scale scale) {
    if (scale.warehouses() == 1) {
      return home;
    }
    return (home - 1 + between(1, scale.warehouses() - 1)) % scale.warehouses() + 1;
  }

  BigDecimal money(int lowCents, int highCents) {
    return BigDecimal.valueOf(between(lowCents, highCents), 2);
  }

  String text(int length) {
    var text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  /** The numbers from 1 in any order. */
  List<Integer> permutation(int count) {
    var numbers = new ArrayList<Integer>(count);
    for (int i = 1; i <= count; i++) {
      numbers.add(i);
    }
    Collections.shuffle(numbers, random);
    return numbers;
  }

  /** Shuffles transactions as cards. */
  void shuffle(List<?> cards) {
    Collections.shuffle(cards, random);
  }
}
