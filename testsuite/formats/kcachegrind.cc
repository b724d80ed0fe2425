// SPDX-License-Identifier: GPL-3.0-or-later
/* Loaded into KCachegrind with LD_PRELOAD; prints what its views show of the file that it
   was started with, and ends it.  Fields are separated by tabs:
     function NAME INCLUSIVE SELF CALLED
     event FUNCTION NAME INCLUSIVE SELF
     call CALLER CALLEE INCLUSIVE CALLS
     line FUNCTION LINE SELF
     site FUNCTION LINE (a call from there or a jump, in words)
   The figures of calls and lines are of the first event.  */

#include <QtCore/QEventLoop>
#include <QtCore/QTimer>
#include <QtWidgets/QApplication>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTreeView>

#include <cstdio>
#include <cstdlib>

namespace
{

QList<QAbstractItemView *> all_views()
{
    QList<QAbstractItemView *> views;
    for (QWidget *widget : QApplication::allWidgets()) {
        auto *view = qobject_cast<QAbstractItemView *>(widget);
        if (view && view->model())
            views.append(view);
    }
    return views;
}

/* The list of functions; null: it is not there yet.  */
QAbstractItemView *find_functions()
{
    for (QAbstractItemView *view : all_views())
        if (view->isVisible() && view->inherits("QTreeView") &&
            view->parent()->inherits("FunctionSelection") && view->model()->rowCount())
            return view;
    return nullptr;
}

/* The view with this name, which is put before the others that it shares a place with. */
QAbstractItemView *raise(const char *name)
{
    QAbstractItemView *found = nullptr;
    for (QAbstractItemView *view : all_views())
        if (view->objectName() == name)
            found = view;
    for (QWidget *widget : QApplication::allWidgets()) {
        auto *tabs = qobject_cast<QTabWidget *>(widget);
        int page = tabs ? tabs->indexOf(found) : -1;
        if (page >= 0)
            tabs->setCurrentIndex(page);
    }
    return found;
}

/* A view follows another one after a moment, and the next one after it: each of these
   moments starts when the last one is over, however long the machine took.  */
void settle()
{
    for (int i = 0; i < 4; i++) {
        QEventLoop loop;
        QTimer::singleShot(5, &loop, &QEventLoop::quit);
        loop.exec();
    }
}

/* Of the row that an index is in.  */
QString text(const QModelIndex &index, int column)
{
    return index.sibling(index.row(), column).data().toString();
}

/* A figure, whose digits are in groups.  */
QString figure(const QModelIndex &index, int column)
{
    return text(index, column).remove(' ');
}

void print(const QStringList &fields)
{
    puts(qPrintable(fields.join('\t')));
}

/* Makes a function the one that the views are of.  */
QString choose(QAbstractItemView *functions, int number)
{
    QModelIndex row = functions->model()->index(number, 0);
    QMetaObject::invokeMethod(functions, "activated", Q_ARG(QModelIndex, row));
    settle();
    return text(row, 3);
}

void print_functions(QAbstractItemView *functions)
{
    for (int i = 0; i < functions->model()->rowCount(); i++) {
        QModelIndex row = functions->model()->index(i, 0);
        print({"function", text(row, 3), figure(row, 0), figure(row, 1), figure(row, 2)});
    }
}

/* These two views are beside each other.  */
void print_events_and_calls(QAbstractItemView *functions)
{
    QAbstractItemModel *events = raise("EventTypeView")->model();
    QAbstractItemModel *calls = raise("CalleeView")->model();
    for (int i = 0; i < functions->model()->rowCount(); i++) {
        QString function = choose(functions, i);
        for (int k = 0; k < events->rowCount(); k++) {
            QModelIndex row = events->index(k, 0);
            print({"event", function, text(row, 3), figure(row, 1), figure(row, 2)});
        }
        for (int k = 0; k < calls->rowCount(); k++) {
            QModelIndex row = calls->index(k, 0);
            print({"call", function, text(row, 5), figure(row, 0), figure(row, 4)});
        }
    }
}

void print_lines(QAbstractItemView *functions)
{
    QAbstractItemModel *lines = raise("SourceView")->model();
    for (int i = 0; i < functions->model()->rowCount(); i++) {
        QString function = choose(functions, i);
        for (int k = 0; k < lines->rowCount(); k++) {
            QModelIndex row = lines->index(k, 0);
            print({"line", function, text(row, 0), figure(row, 1)});
            for (int m = 0; m < lines->rowCount(row); m++)
                print({"site", function, text(row, 0), text(lines->index(m, 0, row), 4)});
        }
    }
}

void print_all()
{
    QAbstractItemView *functions = find_functions();
    if (!functions) {
        QTimer::singleShot(50, print_all);
        return;
    }
    settle();
    print_functions(functions);
    print_events_and_calls(functions);
    print_lines(functions);
    fflush(stdout);
    _Exit(0);
}

void start()
{
    QTimer::singleShot(0, print_all);
}

} // namespace

Q_COREAPP_STARTUP_FUNCTION(start)
