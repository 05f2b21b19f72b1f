package io.tidemark.it.page;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Contrast of texts on their background, as WCAG 2 computes it. */
final class Contrast {
  private static final Pattern NUMBER = Pattern.compile("[0-9.]+");

  /** Colour and background of each element with text of its own that can be seen. */
  private static final String PAIRS =
      """
      const pairs = [];
      for (const each of document.querySelectorAll('body *')) {
        const own = [...each.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        if (!own || !each.checkVisibility() || each.closest('.unseen, .skip, option')) continue;
        let back = each;
        while (back && getComputedStyle(back).backgroundColor === 'rgba(0, 0, 0, 0)') back = back.parentElement;
        pairs.push([getComputedStyle(each).color, back ? getComputedStyle(back).backgroundColor : 'rgb(255, 255, 255)', each.textContent]);
      }
      return pairs;
      """;

  private Contrast() {}

  /** The least of all texts on the page. */
  static double least(Browser browser) {
    double least = Double.MAX_VALUE;
    for (Object each : (List<?>) browser.run(PAIRS)) {
      List<?> pair = (List<?>) each;
      least = Math.min(least, of(pair.get(0).toString(), pair.get(1).toString()));
    }
    return least;
  }

  /** The colour behind everything. */
  static String background(Browser browser) {
    return browser.run("return getComputedStyle(document.body).backgroundColor").toString();
  }

  private static double of(String one, String other) {
    double a = luminance(one);
    double b = luminance(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  /** Of a colour as the browser writes it: {@code rgb(1, 2, 3)}. */
  static double luminance(String colour) {
    double[] weights = {0.2126, 0.7152, 0.0722};
    Matcher numbers = NUMBER.matcher(colour);
    double sum = 0;
    for (double weight : weights) {
      if (!numbers.find()) {
        throw new IllegalArgumentException(colour);
      }
      double part = Double.parseDouble(numbers.group()) / 255;
      sum += weight * (part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
  }
}
