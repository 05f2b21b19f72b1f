package io.tidemark.emulator.ec2.action;

/**
 * Filter values: {@code *} stands for any characters, {@code ?} for one, a backslash takes the
 * meaning from the character after it ("List and filter using the API", Amazon EC2 User Guide).
 */
final class Wildcard {
  private Wildcard() {}

  static boolean matches(String pattern, String text) {
    if (pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0 && pattern.indexOf('\\') < 0) {
      return pattern.equals(text);
    }
    int p = 0;
    int t = 0;
    int star = -1;
    int resume = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        resume = t;
      } else if (p < pattern.length() && fits(pattern, p, text.charAt(t))) {
        p += isEscape(pattern, p) ? 2 : 1;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  private static boolean fits(String pattern, int at, char c) {
    return isEscape(pattern, at)
        ? pattern.charAt(at + 1) == c
        : pattern.charAt(at) == '?' || pattern.charAt(at) == c;
  }

  private static boolean isEscape(String pattern, int at) {
    return pattern.charAt(at) == '\\' && at + 1 < pattern.length();
  }
}
