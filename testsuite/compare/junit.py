# SPDX-License-Identifier: GPL-3.0-or-later
"""junit.py FILE: prints the class, the name and the failure of each test of JUnit XML, and checks that the numbers in
its head are those of its tests, and that no two tests have the same class and name: services drop the second one."""

import sys
import xml.etree.ElementTree as tree

root = tree.parse(sys.argv[1]).getroot()
assert root.tag == 'testsuites', root.tag
suite, = root
cases = suite.findall('testcase')
failed = [case for case in cases if case.find('failure') is not None]
for of in root, suite:
    assert int(of.get('tests')) == len(cases), of.attrib
    assert int(of.get('failures')) == len(failed), of.attrib
    assert of.get('errors') == '0', of.attrib
names = [(case.get('classname'), case.get('name')) for case in cases]
assert len(set(names)) == len(names), names
for case, (file, name) in zip(cases, names):
    failure = case.find('failure')
    print('%s|%s|%s' % (file, name, '' if failure is None else failure.get('message')))
    if failure is not None:
        assert failure.get('message') in failure.text, failure.text
