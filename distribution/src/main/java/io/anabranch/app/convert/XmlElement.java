package io.anabranch.app.convert;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An element of an XML file.
 *
 * @param name without its prefix
 * @param place file and line
 * @param text all of its own
 */
record XmlElement(
    String name,
    String place,
    Map<String, String> attributes,
    List<XmlElement> children,
    StringBuilder text) {

  /** Files of configurations are short; what is longer is none. */
  private static final long MOST_BYTES = 16L << 20;

  /**
   * Document types are passed over: what they name is not read, and entities are not known.
   *
   * @throws ConversionException if it cannot be read, or is no XML
   */
  static XmlElement read(Path file) throws ConversionException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setXMLResolver((_, _, _, _) -> new ByteArrayInputStream(new byte[0]));
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new ConversionException(file + ": is longer than 16 MB");
      }
      try (InputStream in = Files.newInputStream(file)) {
        return read(file.getFileName().toString(), factory.createXMLStreamReader(in));
      }
    } catch (XMLStreamException e) {
      throw new ConversionException(file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new ConversionException(file + " cannot be read: " + e, e);
    }
  }

  private static XmlElement read(String file, XMLStreamReader reader) throws XMLStreamException {
    Deque<XmlElement> open = new ArrayDeque<>();
    var root = new XmlElement("", file, Map.of(), new ArrayList<>(), new StringBuilder());
    open.push(root);
    while (reader.hasNext()) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          XmlElement next = started(file, reader);
          open.element().children().add(next);
          open.push(next);
        }
        case XMLStreamConstants.END_ELEMENT -> open.pop();
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
            open.element().text().append(reader.getText());
        default -> {
          // comments, the document type
        }
      }
    }
    return root.children().getFirst();
  }

  private static XmlElement started(String file, XMLStreamReader reader) {
    var attributes = new LinkedHashMap<String, String>();
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i).strip());
    }
    return new XmlElement(
        reader.getLocalName(),
        file + ":" + reader.getLocation().getLineNumber(),
        attributes,
        new ArrayList<>(),
        new StringBuilder());
  }

  /** Empty if it is not there. */
  String attribute(String key) {
    return attributes.getOrDefault(key, "");
  }

  Stream<XmlElement> children(String called) {
    return children.stream().filter(child -> child.name.equals(called));
  }

  /** The text of {@code <property name="key">}; empty if there is none. */
  String property(String key) {
    return children("property")
        .filter(child -> child.attribute("name").equals(key))
        .map(XmlElement::content)
        .reduce("", (_, last) -> last);
  }

  String content() {
    return text.toString().strip();
  }
}
