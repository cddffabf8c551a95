package io.anabranch.rules.algorithm.key;

/** Which worker's number keys have. Asked with the generator's lock held; does not block. */
interface Workers {

  /**
   * The number for keys of a moment.
   *
   * @throws io.anabranch.rules.error.RefusedException if there is none now
   */
  Worker at(long millisecond);

  /** Said by the configuration. */
  static Workers fixed(int number) {
    var worker = new Worker(number, -1);
    return _ -> worker;
  }

  /**
   * @param floor keys up to this moment may have been made with the number by somebody else
   */
  record Worker(int number, long floor) {}
}
